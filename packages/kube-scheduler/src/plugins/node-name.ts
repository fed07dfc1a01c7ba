import { retryOn } from '../framework/cluster-event.ts';
import { plugin } from '../framework/plugin.ts';
import { fits, unresolvable } from '../status.ts';

const refused = unresolvable("node(s) didn't match the requested node name");

export const nodeName = plugin({
  name: 'NodeName',
  isNodeLocal: true,
  retryWhen: [retryOn('Node', ['add'])],
  filter: ({ pod }, node) => (!pod.spec?.nodeName || pod.spec.nodeName === node.name ? fits : refused),
});
