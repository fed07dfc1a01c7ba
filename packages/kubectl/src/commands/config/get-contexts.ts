import { bool, string } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { completeContexts } from '../../completion/global.ts';
import { throwFailures } from '../../errors.ts';
import { KubeconfigStore } from '../../kubeconfig/stored.ts';
import { alignTabs } from '../../printers/tab-writer.ts';

export const getContexts = command({
  use: 'get-contexts [(-o|--output=)name)]',
  long: 'Print all or some of the contexts in the kubeconfig.',
  example: `  # All of them
  kubectl config get-contexts

  # One
  kubectl config get-contexts minikube`,
  disableFlagsInUseLine: true,
  complete: completeContexts,
  flags: {
    noHeaders: bool({ usage: "Don't print column headings." }),
    output: string({ shorthand: 'o', usage: 'Output format. Only "name" is supported.' }),
  },
  run({ context, args, flags }) {
    if (flags.output !== '' && flags.output !== 'name') {
      throw new Error(
        `--output ${flags.output} is not available in kubectl config get-contexts; resetting to default output format`,
      );
    }
    const { config } = new KubeconfigStore(context);
    const wanted = args.length === 0 ? [...config.contexts.keys()] : [...args];
    const failures = wanted
      .filter((name) => !config.contexts.has(name))
      .map((name) => new Error(`context ${name} not found`));
    const names = wanted.filter((name) => config.contexts.has(name)).sort();
    if (flags.output === 'name') context.print(names.map((name) => `${name}\n`).join(''));
    else {
      const rows = names.map((name) => {
        const { cluster = '', user = '', namespace = '' } = config.contexts.get(name)?.value ?? {};
        return [name === config.currentContext ? '*' : '', name, cluster, user, namespace];
      });
      const heading = flags.noHeaders ? [] : [['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE']];
      context.print(alignTabs([...heading, ...rows].map((row) => `${row.join('\t')}\n`).join('')));
    }
    throwFailures(failures);
  },
});
