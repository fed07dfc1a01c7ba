/** What the reference says of each function and type, and what it fails to say. */

import { kinds, type Comment, type Project, type Reflection } from './reflections.ts';

export interface Example {
  readonly library: string;
  /** `ResourceClient.watch` */
  readonly of: string;
  readonly code: string;
}

/** All examples, in the order of the pages. */
export const examplesIn = ({ children }: Project): readonly Example[] =>
  children.flatMap((library) =>
    publicOf(library).flatMap((one) => [
      ...examplesOf(one).map((code) => ({ library: library.name, of: one.name, code })),
      ...publicOf(one).flatMap((member) =>
        examplesOf(member).map((code) => ({ library: library.name, of: `${one.name}.${member.name}`, code })),
      ),
    ]),
  );

/**
 * What has no description, and functions and methods without an example. An example may be that of the type; it has to use
 * the method. Methods of options are the caller's: the function that takes them shows them.
 */
export const lackingIn = ({ children }: Project): readonly string[] =>
  children.flatMap((library) =>
    publicOf(library).flatMap((one) => lackingOf(one).map((lack) => `${library.name}: ${lack}`)),
  );

function lackingOf(one: Reflection): readonly string[] {
  const lacks = isDescribed(one) ? [] : [`${one.name} has no description`];
  if (one.kind === kinds.function && examplesOf(one).length === 0) lacks.push(`${one.name} has no example`);
  for (const member of publicOf(one)) {
    if (!isCallable(member)) continue;
    if (!isDescribed(member)) lacks.push(`${one.name}.${member.name} has no description`);
    const code = [...examplesOf(one), ...examplesOf(member)].join('\n');
    if (member.kind === kinds.method && !one.name.endsWith('Options') && !uses(code, member.name))
      lacks.push(`${one.name}.${member.name} has no example`);
  }
  return lacks;
}

/** Without constructors, what another type describes, and names like `[Symbol.asyncDispose]`. */
const publicOf = ({ children = [] }: Reflection): readonly Reflection[] =>
  children.filter(
    ({ kind, name, inheritedFrom }) =>
      kind !== kinds.constructor &&
      kind !== kinds.reference &&
      inheritedFrom === undefined &&
      !name.startsWith('['),
  );

const isCallable = ({ kind, type }: Reflection): boolean =>
  kind === kinds.method || type?.declaration?.signatures !== undefined;

/** TypeDoc hangs the comment of a function on its signatures. */
const commentsOf = ({ comment, signatures = [], type }: Reflection): readonly Comment[] =>
  [
    comment,
    ...[...signatures, ...(type?.declaration?.signatures ?? [])].map((signature) => signature.comment),
  ].filter((one) => one !== undefined);

const isDescribed = (one: Reflection): boolean =>
  commentsOf(one).some(
    ({ summary, blockTags = [] }) => summary.length > 0 || blockTags.some(({ tag }) => tag !== '@example'),
  );

const examplesOf = (one: Reflection): readonly string[] =>
  commentsOf(one)
    .flatMap(({ blockTags = [] }) => blockTags)
    .filter(({ tag }) => tag === '@example')
    .map(({ content }) => codeOf(content.map(({ text }) => text).join('')));

const codeOf = (text: string): string => /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? text;

/** As a call, or as a member that is defined: `added(object) {`, `added: (object) =>`. */
const uses = (code: string, name: string): boolean =>
  new RegExp(`\\b${name}(?:<[^>]*>)?\\(|\\b${name}: `).test(code);
