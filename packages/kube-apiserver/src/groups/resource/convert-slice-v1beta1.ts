/**
 * Slices of resource.k8s.io/v1beta1 wrap a device's fields in `basic`, and have an empty node name and a false
 * `allNodes` where v1 omits them.
 */
import type { Conversion } from '@coxswain/apiserver';
import type { AnyObject } from '../any-object.ts';

type Fields = Readonly<Record<string, unknown>>;

export const sliceV1beta1: Conversion = {
  toStorage(object) {
    const slice = mapDevices(object as AnyObject, unwrap);
    const { nodeName, allNodes, ...spec } = (slice.spec ?? {}) as Fields;
    const nodes = { ...(nodeName ? { nodeName } : {}), ...(allNodes ? { allNodes } : {}) };
    return { ...slice, spec: { ...spec, ...nodes }, apiVersion: 'resource.k8s.io/v1' };
  },
  fromStorage: (object) => ({
    ...mapDevices(object as AnyObject, wrap),
    apiVersion: 'resource.k8s.io/v1beta1',
  }),
};

function mapDevices(slice: AnyObject, map: (device: Fields) => Fields): AnyObject {
  const spec = slice.spec as Fields | undefined;
  const devices = spec?.devices as readonly Fields[] | undefined;
  return devices ? { ...slice, spec: { ...spec, devices: devices.map(map) } } : slice;
}

const unwrap = ({ basic, ...device }: Fields): Fields => ({ ...device, ...(basic as Fields | undefined) });

const wrap = ({ name, ...basic }: Fields): Fields => ({ name, basic });
