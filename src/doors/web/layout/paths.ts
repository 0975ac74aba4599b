export const KEYS_PATH = '/account/keys';
/** Sign-up that ends on the page of the keys, with the first key on it. */
export const GET_KEY_PATH = `/sign-up?return_to=${KEYS_PATH}`;

export const SIGN_OUT_PATH = '/sign-out';
