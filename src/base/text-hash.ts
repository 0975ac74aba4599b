/** The FNV-1a offset basis. */
const START = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * 32-bit FNV-1a over the character codes. For short texts it is several times as fast as a checksum that must first
 * copy them out of the heap. Two texts that differ in exactly one character never collide.
 */
export function textHash(text: string, seed = 0): number {
  let hash = START ^ seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return hash >>> 0;
}
