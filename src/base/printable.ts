const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

/**
 * Text from outside as one line for a terminal or a log. Control characters could start escape sequences, which rewrite the
 * screen; line separators and bidi marks could imitate other lines.
 */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, ' ').trim();
}

export function isPrintable(text: string): boolean {
  return text.search(UNPRINTABLE) < 0;
}
