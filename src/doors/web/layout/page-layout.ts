/**
 * How the content is placed. `wrap`: a centred column. `app`: as high as the window, its table scrolls inside. `page` and
 * `home`: the full width. `side` and `docs`: a column of links beside the text. `card`: one small card in the middle.
 */
export type PageLayout = 'wrap' | 'app' | 'page' | 'home' | 'side' | 'docs' | 'card';
