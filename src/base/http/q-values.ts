/** The values of Accept or Accept-Encoding with their weights, in lower case and in the order of the header (RFC 9110, 12.4.2). */
export function weightedValues(header: string): { value: string; weight: number }[] {
  return header
    .toLowerCase()
    .split(',')
    .map((part) => {
      const [value = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length);
      return { value, weight: weight === undefined ? 1 : Number(weight) || 0 };
    });
}
