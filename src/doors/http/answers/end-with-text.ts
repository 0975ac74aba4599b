import type { ServerResponse } from 'node:http';

/**
 * Ends a response with a text of `byteLength` bytes in UTF-8. ASCII has the same bytes in Latin-1, which Node writes in less
 * time. A text that is sent once costs less than a Buffer of it.
 */
export function endWithText(response: ServerResponse, text: string, byteLength: number): void {
  response.end(text, text.length === byteLength ? 'latin1' : 'utf8');
}
