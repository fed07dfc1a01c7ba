/** Converts an object to text. Stateful if the text depends on earlier objects (`---`, headings). */
export type Printer = (object: unknown) => string;
