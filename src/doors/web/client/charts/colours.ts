import { AREA_OPACITY } from './canvas-marks.ts';

/** Colours come from the style sheet, through elements of the still picture or one made for the purpose. */
export function colours(figure: HTMLElement) {
  const probe = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  figure.querySelector('.still')?.append(probe);
  const of = (name: string, property: 'stroke' | 'fill' = 'stroke') => {
    probe.setAttribute('class', name);
    return getComputedStyle(probe)[property];
  };
  return { of, remove: () => probe.remove() };
}

/** The colour of the area under a line. */
export function withOpacity(colour: string): string {
  return colour.replace('rgb(', 'rgba(').replace(')', `, ${AREA_OPACITY})`);
}
