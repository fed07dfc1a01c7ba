import { editDistance } from '@coxswain/cobra/command/suggest.ts';

/** Returns a message for an unknown name: `no step is called "encod"; did you mean "encode"?` */
export function unknownName(what: string, wanted: string, names: Iterable<string>): string {
  const [near] = [...names]
    .map((name) => ({ name, distance: distance(wanted, name) }))
    .filter((one) => one.distance <= wanted.length / 3)
    .toSorted((one, other) => one.distance - other.distance);
  return `no ${what} is called "${wanted}"${near === undefined ? '' : `; did you mean "${near.name}"?`}`;
}

/** The user may have meant the whole name or a part of it. */
const distance = (wanted: string, name: string): number =>
  name.includes(wanted) ? 0 : editDistance(wanted, name);
