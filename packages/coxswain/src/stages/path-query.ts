/**
 * The subset of jq that stages use: `.metadata.annotations["a.b/c"]`, `.spec.containers.[].name`, `.a[0]`, and `|
 * select( .type == "Ready" )` between two paths. A query returns any number of values.
 */

export type PathQuery = (value: unknown) => readonly unknown[];

type Pass = (values: readonly unknown[]) => readonly unknown[];

/** @throws Error for unsupported syntax */
export function pathQuery(text: string): PathQuery {
  const passes = splitPipes(text).map((part) => passOf(part.trim(), text));
  return (value) =>
    passes.reduce((values, pass) => pass(values), [value] as readonly unknown[]).filter(isThere);
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/** Pipes within quotes don't separate. */
const splitPipes = (text: string): string[] => text.match(/(?:"(?:[^"\\]|\\.)*"|[^|"])+/g) ?? [];

const selectPattern = /^select\(\s*(.+?)\s*(==|!=)\s*("(?:[^"\\]|\\.)*"|-?\d+|true|false|null)\s*\)$/;

function passOf(part: string, whole: string): Pass {
  const select = selectPattern.exec(part);
  if (select === null) {
    const steps = stepsOf(part, whole);
    return (values) => steps.reduce((found, step) => found.flatMap(step), values);
  }
  const [, path, operator, literal] = select;
  const of = pathQuery(path!);
  const wanted: unknown = JSON.parse(literal!);
  return (values) => values.filter((value) => ((of(value)[0] ?? null) === wanted) === (operator === '=='));
}

type Step = (value: unknown) => readonly unknown[];

const stepPattern = /\.?\["((?:[^"\\]|\\.)*)"\]|\.?\[(\d*)\]|\.([A-Za-z_][\w]*)|\.(?=$)/y;

function stepsOf(path: string, whole: string): Step[] {
  const steps: Step[] = [];
  let at = 0;
  while (at < path.length) {
    stepPattern.lastIndex = at;
    const match = stepPattern.exec(path);
    if (match === null) throw new Error(`cannot parse the expression ${whole} at "${path.slice(at)}"`);
    at = stepPattern.lastIndex;
    const [, quoted, index, name] = match;
    if (index === '') steps.push(elements);
    else if (index !== undefined)
      steps.push((value) => [(value as readonly unknown[] | null)?.[Number(index)]]);
    else if (quoted !== undefined || name !== undefined) steps.push(member(quoted ?? name!));
  }
  return steps;
}

const elements: Step = (value) =>
  Array.isArray(value) ? value : typeof value === 'object' && value !== null ? Object.values(value) : [];

const member =
  (name: string): Step =>
  (value) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? [(value as Readonly<Record<string, unknown>>)[name]]
      : [];
