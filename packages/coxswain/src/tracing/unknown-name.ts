import { editDistance } from '@coxswain/cobra/command/suggest.ts';

/** What is told of a name that nothing has: `no step is called "encod"; did you mean "encode"?` */
export function unknownName(what: string, wanted: string, names: Iterable<string>): string {
  const [near] = [...names].toSorted((one, other) => distance(wanted, one) - distance(wanted, other));
  return `no ${what} is called "${wanted}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
}

/** The whole name or a part of it may be what was meant. */
const distance = (wanted: string, name: string): number =>
  name.includes(wanted) ? 0 : editDistance(wanted, name);
