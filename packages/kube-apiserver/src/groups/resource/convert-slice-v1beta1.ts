/** Slices of resource.k8s.io/v1beta1 wrap what they say of a device in `basic`. */
import type { Conversion } from '@coxswain/apiserver';
import type { AnyObject } from '../resource.ts';

type Fields = Readonly<Record<string, unknown>>;

export const sliceV1beta1: Conversion = {
  toStorage: (object) => ({ ...mapDevices(object as AnyObject, unwrap), apiVersion: 'resource.k8s.io/v1' }),
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
