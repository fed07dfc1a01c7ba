/** An object becomes text. Stateful where the text of one depends on what came before (`---`, headings). */
export type Printer = (object: unknown) => string;
