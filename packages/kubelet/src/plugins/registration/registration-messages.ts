/** How a plugin tells the kubelet what it is: pluginregistration.v1, served by the plugin. */
import { field, repeated } from '@coxswain/storage/etcd/wire.ts';
import { pluginMethods } from '../unix-grpc-client.ts';

export const PluginInfo = {
  type: field(1, 'string'),
  name: field(2, 'string'),
  endpoint: field(3, 'string'),
  supportedVersions: repeated(4, 'string'),
};

export const RegistrationStatus = { pluginRegistered: field(1, 'bool'), error: field(2, 'string') };

const registration = pluginMethods('pluginregistration.Registration');

export const registrationMethods = {
  getInfo: registration('GetInfo', {}, PluginInfo),
  notifyRegistrationStatus: registration('NotifyRegistrationStatus', RegistrationStatus, {}),
} as const;
