/** Where the page is served unless something else is there. */
export const uiPortDefault = 6440;
