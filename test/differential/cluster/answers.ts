/** Earlier answers of a scenario, put where later steps name them: `$ns`, `$id`, `$step.path`. */
import type { Json } from './scenario.ts';

export type Answers = Map<string, unknown>;

type Look = (object: unknown, path: string) => unknown;

/** Replaces what a text, list or object names of earlier answers; a text that is one name alone keeps the type. */
export function fillIn<Value>(value: Value, answers: Answers, look: Look): Value {
  return filled(value as Json, answers, look) as Value;
}

function filled(value: Json | undefined, answers: Answers, look: Look): Json | undefined {
  if (typeof value === 'string') return filledText(value, answers, look);
  if (Array.isArray(value)) return value.map((item) => filled(item, answers, look) ?? null);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      String(filledText(key, answers, look)),
      filled(member, answers, look),
    ]),
  );
}

const wholeName = /^\$([A-Za-z][\w-]*)\.([\w.[\]"'/*=#-]+)$/;
const names = /\$([A-Za-z][\w-]*)((?:\.[A-Za-z]\w*|\[[^\]]+\])*)/g;

function filledText(text: string, answers: Answers, look: Look): Json {
  const [, step, inner] = wholeName.exec(text) ?? [];
  if (step !== undefined && answers.has(step)) return look(answers.get(step), inner!) as Json;
  return text.replaceAll(names, (found: string, name: string, inside: string) => {
    const [known, rest] = longestKnown(name, answers);
    if (known === undefined) return found;
    const answer = answers.get(known);
    if (typeof answer !== 'object') return `${String(answer)}${rest}${inside}`;
    return String(look(answer, inside.replace(/^\./, '')));
  });
}

/** `$ns-x` names `$ns`, followed by `-x`. */
function longestKnown(name: string, answers: Answers): [string | undefined, string] {
  for (let end = name.length; end > 0; end = name.lastIndexOf('-', end - 1)) {
    const head = name.slice(0, end);
    if (answers.has(head)) return [head, name.slice(end)];
  }
  return [undefined, ''];
}
