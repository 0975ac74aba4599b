/**
 * How the content is placed. `plain`: text with a margin, for pages that do not use the parts of the design. `wrap`: a
 * centred column. `app`: as high as the window, its table scrolls inside. `page` and `home`: the full width. `side` and
 * `docs`: a column of links beside the text. `card`: one small card in the middle.
 */
export type PageLayout = 'plain' | 'wrap' | 'app' | 'page' | 'home' | 'side' | 'docs' | 'card';
