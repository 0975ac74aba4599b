import { mcpUrl, NAME } from './identity.ts';

/** The configuration that editors take for a remote server. Without headers they sign in with OAuth. */
export function editorConfig(baseUrl: string): { type: 'http'; url: string } {
  return { type: 'http', url: mcpUrl(baseUrl) };
}

export type ConnectTarget = 'claude' | 'cursor' | 'vscode';

/** Links that open an assistant with this server filled in. The user still confirms there. */
export function connectLinks(baseUrl: string): Readonly<Record<ConnectTarget, string>> {
  const { url } = editorConfig(baseUrl);
  const claude = new URLSearchParams({
    modal: 'add-custom-connector',
    connectorName: 'Perpwire',
    connectorUrl: url,
  });
  const cursorConfig = Buffer.from(JSON.stringify({ url })).toString('base64');
  const codeConfig = JSON.stringify({ name: NAME, ...editorConfig(baseUrl) });
  return {
    claude: `https://claude.ai/customize/connectors?${claude}`,
    cursor: `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encodeURIComponent(cursorConfig)}`,
    vscode: `vscode:mcp/install?${encodeURIComponent(codeConfig)}`,
  };
}
