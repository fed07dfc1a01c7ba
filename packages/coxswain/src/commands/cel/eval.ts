/** `coxswain cel eval 'self.replicas <= 5' -f values.yaml` */
import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import type { SchemaProps } from '@coxswain/cel';
import { readYaml } from '@coxswain/apimachinery';
import { bool, commandFor, exactArgs, int, string, stringArray } from '@coxswain/cobra';
import { CompilationFailed, evaluateText } from '../../cel/evaluate-text.ts';
import { renderEvaluation } from '../../cel/render-evaluation.ts';
import type { ProgramIo } from '../../program/program-io.ts';

const command = commandFor<ProgramIo>();

export const evaluate = command({
  use: 'eval EXPRESSION',
  short: 'Evaluate an expression and print its value and cost',
  long: `Evaluates an expression with the functions available in Kubernetes 1.36 and prints its value, type and cost.

Variables come from a file or from --set. With --schema, "self" and "oldSelf" are typed: type errors are found before
evaluation, and the maximum cost is printed.`,
  example: `  coxswain cel eval 'self.replicas <= self.max' --set 'self={replicas: 3, max: 5}'
  coxswain cel eval 'object.spec.containers.all(c, c.image.startsWith("docker.io/"))' -f variables.yaml --trace
  coxswain cel eval 'self.spec.replicas > 0' --schema definition.yaml --set 'self={spec: {replicas: 0}}'`,
  args: exactArgs(1),
  flags: {
    costLimit: int({ default: 1_000_000, usage: 'The maximum cost of the evaluation.' }),
    json: bool({ usage: 'Print JSON.' }),
    schema: string({
      usage: 'File with the schema of "self": an OpenAPI schema or a CustomResourceDefinition.',
    }),
    set: stringArray({ usage: 'A variable, as NAME=YAML. Can be repeated.' }),
    trace: bool({ usage: 'Print the value of every subexpression.' }),
    variables: string({
      shorthand: 'f',
      usage: 'YAML file that maps variable names to values, or - for standard input.',
    }),
  },
  async run({ context: io, args: [text = ''], flags }) {
    const variables = { ...(await readVariables(flags.variables, io)), ...setVariables(flags.set) };
    const schema = flags.schema === '' ? {} : readSchema(flags.schema);
    const { costLimit, trace: traced } = flags;
    try {
      const evaluated = evaluateText({ text, variables, ...schema, costLimit, traced });
      io.out.write(flags.json ? `${JSON.stringify(evaluated, undefined, 2)}\n` : renderEvaluation(evaluated));
      if ('error' in evaluated.result) throw new Error(evaluated.result.error);
    } catch (failure) {
      if (!(failure instanceof CompilationFailed)) throw failure;
      throw new Error(`the expression does not compile:\n${failure.message}${hintOn(failure, variables)}`, {
        cause: failure,
      });
    }
  },
});

/** The first question when trying out an expression of a policy is where its variables come from. */
const hintOn = ({ message }: Error, variables: object): string =>
  Object.keys(variables).length === 0 && message.includes('undeclared reference')
    ? "\nSet variables with --set 'NAME=YAML' or in a file (-f). See --help."
    : '';

async function readVariables(file: string, io: ProgramIo): Promise<Readonly<Record<string, unknown>>> {
  if (file === '') return {};
  const read = readYaml(file === '-' ? await textOf(io.input) : readFileSync(file, 'utf8'));
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new Error(`${file}: must be a mapping of variable names to values`);
  }
  return read as Record<string, unknown>;
}

const setVariables = (settings: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf('=');
      if (at <= 0) throw new Error(`--set ${setting}: must have the form NAME=YAML`);
      return [setting.slice(0, at), readYaml(setting.slice(at + 1))];
    }),
  );

interface Definition {
  readonly kind?: string;
  readonly spec?: {
    readonly versions?: readonly {
      readonly storage?: boolean;
      readonly schema?: { readonly openAPIV3Schema?: SchemaProps };
    }[];
  };
}

/** For a CustomResourceDefinition, the schema of its stored version. */
function readSchema(file: string): { readonly schema: SchemaProps; readonly isResourceRoot: boolean } {
  const read = readYaml(readFileSync(file, 'utf8')) as Definition & SchemaProps;
  if (read?.kind !== 'CustomResourceDefinition') return { schema: read, isResourceRoot: false };
  const stored = read.spec?.versions?.find(({ storage }) => storage === true);
  const schema = stored?.schema?.openAPIV3Schema;
  if (schema === undefined)
    throw new Error(`${file}: the storage version of the CustomResourceDefinition has no schema`);
  return { schema, isResourceRoot: true };
}
