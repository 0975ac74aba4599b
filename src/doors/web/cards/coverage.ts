/**
 * How much of each pixel a shape covers. Every edge adds the signed area to its right; the running sum along a line is
 * then the coverage, exact for straight edges.
 */
export class Coverage {
  readonly width: number;
  readonly height: number;
  readonly #areas: Float32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    // An edge at the right end adds to the two pixels after it.
    this.#areas = new Float32Array(width * height + 2);
  }

  /** A closed contour: x and y in turns, in pixels, y downwards. */
  add(points: readonly number[]): void {
    for (let i = 0; i < points.length; i += 2) {
      const j = (i + 2) % points.length;
      this.#edge(points[i] ?? 0, points[i + 1] ?? 0, points[j] ?? 0, points[j + 1] ?? 0);
    }
  }

  /** Calls `paint` for every pixel that is covered, with the share from 0 to 1. */
  paint(paint: (x: number, y: number, share: number) => void): void {
    for (let y = 0; y < this.height; y++) {
      let sum = 0;
      for (let x = 0; x < this.width; x++) {
        sum += this.#areas[y * this.width + x] ?? 0;
        // Contours may overlap; a pixel is not covered twice.
        const share = Math.min(1, Math.abs(sum));
        if (share > 0.01) paint(x, y, share);
      }
    }
  }

  #edge(x0: number, y0: number, x1: number, y1: number): void {
    if (y0 === y1) return;
    const direction = y0 < y1 ? 1 : -1;
    const [topX, topY, endX, endY] = y0 < y1 ? [x0, y0, x1, y1] : [x1, y1, x0, y0];
    const slope = (endX - topX) / (endY - topY);
    for (let y = Math.max(0, Math.floor(topY)); y < Math.min(this.height, Math.ceil(endY)); y++) {
      const from = Math.max(y, topY);
      const to = Math.min(y + 1, endY);
      if (to <= from) continue;
      this.#span(y, topX + (from - topY) * slope, topX + (to - topY) * slope, (to - from) * direction);
    }
  }

  /** The part of an edge within one line of pixels: from `a` to `b`, of the signed height `height`. */
  #span(y: number, a: number, b: number, height: number): void {
    const clamp = (x: number) => Math.min(this.width, Math.max(0, x));
    const [left, right] = [clamp(Math.min(a, b)), clamp(Math.max(a, b))];
    const [first, last] = [Math.floor(left), Math.max(Math.floor(left), Math.ceil(right) - 1)];
    const perPixel = right > left ? height / (right - left) : 0;
    for (let x = first; x <= last; x++) {
      const inPixel = Math.min(right, x + 1) - Math.max(left, x);
      const share = right > left ? inPixel * perPixel : height;
      const middle = (Math.max(left, x) + Math.min(right, x + 1)) / 2 - x;
      const at = y * this.width + x;
      // Right of the edge the pixel is covered; the pixels after it are covered whole.
      this.#areas[at] = (this.#areas[at] ?? 0) + share * (1 - middle);
      this.#areas[at + 1] = (this.#areas[at + 1] ?? 0) + share * middle;
    }
  }
}
