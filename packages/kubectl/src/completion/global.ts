/** Completion of the values of global options. */
import { completionDirective, type Completion } from '@coxswain/cobra';
import type { CommandContext } from '../context.ts';

const fromConfig =
  (section: 'contexts' | 'clusters' | 'users'): Completion<CommandContext> =>
  async ({ context }, typed) => {
    const { namesInConfig } = await import('../connection/config-names.ts');
    const names = await namesInConfig(context, section);
    return {
      candidates: names.filter((name) => name.startsWith(typed)),
      directive: completionDirective.noFiles,
    };
  };

export const completeContexts = fromConfig('contexts') as Completion;
export const completeClusters = fromConfig('clusters') as Completion;
export const completeUsers = fromConfig('users') as Completion;

export const completeNamespaces: Completion = (async (
  invocation: Parameters<Completion<CommandContext>>[0],
  typed: string,
) => {
  const { completeValues } = await import('./resources.ts');
  return completeValues('namespace')(invocation, typed);
}) as Completion;
