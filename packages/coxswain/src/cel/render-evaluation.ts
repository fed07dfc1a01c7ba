/** Renders an evaluated expression as text: a table of steps, then value, type and cost. */
import { tableText } from '../program/table-text.ts';
import type { EvaluatedText, Result } from './evaluate-text.ts';

/** Longer texts and values of steps are truncated; the whole value is printed at the end. */
const stepTextMax = 60;

export function renderEvaluation({ type, result, cost, estimatedCostMax, steps }: EvaluatedText): string {
  const rows = steps.map((step) => [
    shortened(step.text),
    shortened(resultText(step.result)),
    `${step.cost}`,
  ]);
  const table = rows.length === 0 ? '' : `${tableText([['STEP', 'VALUE', 'COST'], ...rows], '  ')}\n`;
  const limit = estimatedCostMax === undefined ? '' : `, at most ${estimatedCostMax} according to the schema`;
  return `${table}${resultText(result)}\ntype ${type}, cost ${cost}${limit}\n`;
}

const resultText = (result: Result): string =>
  'error' in result ? `error: ${result.error}` : JSON.stringify(result.value, bigIntAsNumber);

/** JSON does not limit integers, but JavaScript's serializer rejects bigints. */
const bigIntAsNumber = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : value;

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= stepTextMax ? line : `${line.slice(0, stepTextMax - 1)}…`;
}
