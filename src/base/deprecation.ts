/** Something that callers should leave: said since a day, gone on a later one (both ISO 8601, UTC). */
export interface Deprecation {
  since: string;
  sunset: string;
}
