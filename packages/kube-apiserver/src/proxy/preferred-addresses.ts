/** Upstream's default of `--kubelet-preferred-address-types`. */
export const preferredAddressTypesDefault = [
  'Hostname',
  'InternalDNS',
  'InternalIP',
  'ExternalDNS',
  'ExternalIP',
] as const;
