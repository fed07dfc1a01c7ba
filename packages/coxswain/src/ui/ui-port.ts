/** The port of the page, unless it is already in use. */
export const uiPortDefault = 6440;
