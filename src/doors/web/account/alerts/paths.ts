export const ALERTS_PATH = '/account/alerts';
export const NEW_RULE_PATH = `${ALERTS_PATH}/new`;
export const EDIT_RULE_PATH = `${ALERTS_PATH}/edit`;
export const CHANNELS_PATH = `${ALERTS_PATH}/channels`;
export const NEW_CHANNEL_PATH = `${CHANNELS_PATH}/new`;

/** What was done before the redirect to the page; the page says it once. */
export const DONE = {
  created: 'The alert is active.',
  saved: 'The alert is saved.',
  paused: 'The alert is paused.',
  resumed: 'The alert is active again.',
  deleted: 'The alert is deleted.',
  'channel-added': 'The channel is added. Send a test message to see that it works.',
  'code-sent': 'A code was sent to the channel. Enter it below.',
  'channel-confirmed': 'The channel is confirmed. Alerts are sent there from now on.',
  'channel-resumed': 'The channel is active again.',
  'channel-removed': 'The channel is removed.',
} as const;

export type Done = keyof typeof DONE;

export function afterwards(done: Done, anchor = ''): string {
  return `${ALERTS_PATH}?done=${done}${anchor === '' ? '' : `#${encodeURIComponent(anchor)}`}`;
}

export function isDone(text: string | null): text is Done {
  return text !== null && Object.hasOwn(DONE, text);
}
