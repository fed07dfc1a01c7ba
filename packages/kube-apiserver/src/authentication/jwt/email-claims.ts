/** A mapping that uses the e-mail claim as user name must also check that it is verified. */
import type { CompiledExpression } from './claim-expressions.ts';

type Expression = CompiledExpression['ast']['expression'];

/** Whether an expression reads `claims.<field>`, or `claims.?<field>`. */
export const readsClaim = ({ ast }: CompiledExpression, field: string): boolean =>
  reads(ast.expression, field);

function reads(expression: Expression, field: string): boolean {
  const inside = (one: Expression | undefined) => one !== undefined && reads(one, field);
  switch (expression.kind) {
    case 'select':
      return (isClaims(expression.operand) && expression.field === field) || inside(expression.operand);
    case 'call': {
      const [operand, name] = expression.arguments;
      const isOptional = expression.target === undefined && expression.function === '_?._';
      if (isOptional && isClaims(operand) && name?.kind === 'literal' && name.value === field) return true;
      return expression.arguments.some(inside) || inside(expression.target);
    }
    case 'list':
      return expression.elements.some(inside);
    case 'map':
      return expression.entries.some(({ key, value }) => inside(key) || inside(value));
    case 'struct':
      return expression.fields.some(({ value }) => inside(value));
    case 'comprehension': {
      const { range, initial, condition, step, result } = expression;
      return [range, initial, condition, step, result].some(inside);
    }
    default:
      return false;
  }
}

const isClaims = (expression: Expression | undefined): boolean =>
  expression?.kind === 'identifier' && expression.name === 'claims';
