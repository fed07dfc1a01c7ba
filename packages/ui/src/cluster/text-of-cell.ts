/** A cell of a Table in one line; empty if there is nothing in it. */
export const textOfCell = (cell: unknown): string => {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
};
