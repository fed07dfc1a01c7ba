import { plugin } from '../framework/plugin.ts';

/** Binds through the pod's `binding` subresource. */
export const defaultBinder = plugin({
  name: 'DefaultBinder',
  async bind({ pod }, node, { api }) {
    await api.bind(pod, node.name);
    return true;
  },
});
