/** `coxswain cel eval 'self.replicas <= 5' -f values.yaml` */
import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import type { SchemaProps } from '@coxswain/cel';
import { readYaml } from '@coxswain/apimachinery';
import { bool, commandFor, exactArgs, int, string, stringArray } from '@coxswain/cobra';
import { CompilationFailed, evaluateText } from '../../cel/evaluate-text.ts';
import { renderEvaluation } from '../../cel/render-evaluation.ts';
import type { ProgramIo } from '../../program-io.ts';

const command = commandFor<ProgramIo>();

export const evaluate = command({
  use: 'eval EXPRESSION',
  short: 'Evaluate an expression, with its cost and its steps',
  long: `Evaluates an expression with the functions that Kubernetes 1.36 has, and prints its value, its type and its cost.

Variables come from a file or from --set. With --schema, or the file of a CustomResourceDefinition, "self" and
"oldSelf" have types: mistakes are found before anything is evaluated, and the greatest cost is told.`,
  example: `  coxswain cel eval 'self.replicas <= self.max' --set 'self={replicas: 3, max: 5}'
  coxswain cel eval 'object.spec.containers.all(c, c.image.startsWith("docker.io/"))' -f variables.yaml --trace
  coxswain cel eval 'self.spec.replicas > 0' --schema definition.yaml --set 'self={spec: {replicas: 0}}'`,
  args: exactArgs(1),
  flags: {
    costLimit: int({ default: 1_000_000, usage: 'What the evaluation may cost.' }),
    json: bool({ usage: 'Print JSON.' }),
    schema: string({
      usage: 'A file with the schema of "self": an OpenAPI schema, or a CustomResourceDefinition.',
    }),
    set: stringArray({ usage: 'A variable, as NAME=YAML. May be given more than once.' }),
    trace: bool({ usage: 'Print the value of every part.' }),
    variables: string({
      shorthand: 'f',
      usage: 'A file with the variables by their names; - for standard input.',
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

/** Whoever tries an expression of a policy wonders first where its variables come from. */
const hintOn = ({ message }: Error, variables: object): string =>
  Object.keys(variables).length === 0 && message.includes('undeclared reference')
    ? "\nVariables are given by --set 'NAME=YAML' or in a file (-f); see --help."
    : '';

async function readVariables(file: string, io: ProgramIo): Promise<Readonly<Record<string, unknown>>> {
  if (file === '') return {};
  const read = readYaml(file === '-' ? await textOf(io.input) : readFileSync(file, 'utf8'));
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new Error(`${file}: variables are a mapping from names to values`);
  }
  return read as Record<string, unknown>;
}

const setVariables = (settings: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf('=');
      if (at <= 0) throw new Error(`--set ${setting}: a variable is written NAME=YAML`);
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

/** That of the stored version where it is a definition. */
function readSchema(file: string): { readonly schema: SchemaProps; readonly isResourceRoot: boolean } {
  const read = readYaml(readFileSync(file, 'utf8')) as Definition & SchemaProps;
  if (read?.kind !== 'CustomResourceDefinition') return { schema: read, isResourceRoot: false };
  const stored = read.spec?.versions?.find(({ storage }) => storage === true);
  const schema = stored?.schema?.openAPIV3Schema;
  if (schema === undefined) throw new Error(`${file}: the definition has no schema of a stored version`);
  return { schema, isResourceRoot: true };
}
