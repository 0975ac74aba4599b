export const KEYS_PATH = '/account/keys';
