/** When a deprecation was announced and when the deprecated part is removed (both ISO 8601, UTC). */
export interface Deprecation {
  since: string;
  sunset: string;
}
