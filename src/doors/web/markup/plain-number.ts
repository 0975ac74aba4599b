import { ownValue } from '../../../base/own-value.ts';

const FACTORS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };

/** A number as people write it: `1m`, `1,000,000`, `$2.5 M`, `−0.01 %`. Other text is returned as it is. */
export function plainNumber(text: string): string {
  const found = /^([+−-]?)\s*\$?\s*(\d[\d,_ ]*(?:\.\d+)?|\.\d+)\s*([kmb])?\s*%?$/i.exec(text.trim());
  if (!found) return text.trim();
  const [, sign = '', digits = '', unit = ''] = found;
  const value = Number(digits.replaceAll(/[,_ ]/g, '')) * (ownValue(FACTORS, unit.toLowerCase()) ?? 1);
  return `${sign === '' || sign === '+' ? '' : '-'}${Number(value.toPrecision(12))}`;
}
