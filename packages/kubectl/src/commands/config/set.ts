import { bool } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { setProperty, unsetProperty } from '../../kubeconfig/property.ts';
import { KubeconfigStore } from '../../kubeconfig/stored.ts';
import { refuseArguments } from './refuse-arguments.ts';

export const set = command({
  use: 'set PROPERTY_NAME PROPERTY_VALUE',
  long: `Set a single value in the kubeconfig.

 The name is a dot-separated path of fields and entry names, such as clusters.NAME.server. Values of fields that end in -data are base64-encoded unless --set-raw-bytes is set.`,
  example: `  # The address of a cluster
  kubectl config set clusters.red.server https://192.0.2.1

  # The cluster of a context
  kubectl config set contexts.one.cluster red`,
  disableFlagsInUseLine: true,
  flags: { setRawBytes: bool({ usage: 'Store byte values as given, without base64 decoding.' }) },
  async run(invocation) {
    const { context, args, flags } = invocation;
    const [name, value] = args;
    if (args.length !== 2 || name === undefined || value === undefined) return refuseArguments(invocation);
    if (value === '') throw new Error('you cannot use set to unset a property');
    if (name === '') throw new Error('you must specify a property');
    const store = new KubeconfigStore(context);
    setProperty(store.config, name, value, flags.setRawBytes);
    store.save();
    context.print(`Property "${name}" set.\n`);
  },
});

export const unset = command({
  use: 'unset PROPERTY_NAME',
  long: 'Remove a single value from the kubeconfig: a field, an entry or the current context.',
  example: `  # No current context
  kubectl config unset current-context

  # No namespace in a context
  kubectl config unset contexts.one.namespace`,
  disableFlagsInUseLine: true,
  async run(invocation) {
    const { context, args } = invocation;
    const [name] = args;
    if (args.length !== 1 || name === undefined) return refuseArguments(invocation);
    if (name === '') throw new Error('you must specify a property');
    const store = new KubeconfigStore(context);
    unsetProperty(store.config, name);
    store.save();
    context.print(`Property "${name}" unset.\n`);
  },
});
