const MAX_NAME_CHARACTERS = 80;

/**
 * The name of a client as users see it, without characters that are invisible or change the direction of the text: with
 * them a name could imitate another, or rewrite the sentence around it. Empty if nothing is left.
 */
export function visibleName(name: string): string {
  const visible = name.replaceAll(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]+/gu, ' ').trim();
  return [...visible].slice(0, MAX_NAME_CHARACTERS).join('').trim();
}
