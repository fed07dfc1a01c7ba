/** An evaluated expression as text: the steps as a table, then value, type and cost. */
import { tableText } from '../program/table-text.ts';
import type { EvaluatedText, Result } from './evaluate-text.ts';

/** Longer texts and values of steps are cut: the whole value comes last. */
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

/** JSON has no bound for integers; JavaScript's writer does. */
const bigIntAsNumber = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : value;

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= stepTextMax ? line : `${line.slice(0, stepTextMax - 1)}…`;
}
