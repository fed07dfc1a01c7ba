import { stringArray, stringSlice } from '@coxswain/cobra';
import { command, nameFromArguments } from '../../command.ts';
import { checkResources, checkVerbs, policyRules, readResources, readVerbs } from './rules.ts';
import { createFlags, creating, targets } from './create-object.ts';

export const ruleFlags = {
  verb: stringSlice({ usage: 'Verbs that apply to the resources in the rule.' }),
  resource: stringSlice({ usage: 'Resources that the rule applies to, as RESOURCE[.GROUP][/SUBRESOURCE].' }),
  resourceName: stringArray({ usage: 'Names of the objects that the rule applies to. Can be repeated.' }),
};

export const role = command({
  use: 'role NAME --verb=verb --resource=resource.group/subresource [--resource-name=resourcename] [--dry-run=server|client|none]',
  long: 'Create a role with one rule.',
  example: `  # Read pods and their logs
  kubectl create role reader --verb=get,list,watch --resource=pods,pods/log

  # Change two deployments
  kubectl create role changer --verb=patch --resource=deployments.apps --resource-name=web --resource-name=api`,
  disableFlagsInUseLine: true,
  flags: { ...createFlags, ...ruleFlags },
  async run(invocation) {
    const { flags, context } = invocation;
    const name = nameFromArguments(invocation);
    const verbs = readVerbs(flags.verb);
    const resources = readResources(flags.resource);
    const create = await creating(invocation, flags, name);
    checkVerbs(context, verbs);
    if (resources.length === 0) throw new Error('at least one resource must be specified');
    await checkResources(context, resources, verbs);
    const rules = await policyRules(context, verbs, resources, flags.resourceName);
    await create({ target: targets.role, name, fields: { rules } });
  },
});
