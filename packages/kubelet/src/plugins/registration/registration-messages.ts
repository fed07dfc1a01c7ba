/** How a plugin describes itself to the kubelet: pluginregistration.v1, served by the plugin. */
import { serviceMethods } from '@coxswain/grpc/method.ts';
import { field, repeated } from '@coxswain/protobuf';

export const PluginInfo = {
  type: field(1, 'string'),
  name: field(2, 'string'),
  endpoint: field(3, 'string'),
  supportedVersions: repeated(4, 'string'),
};

export const RegistrationStatus = { pluginRegistered: field(1, 'bool'), error: field(2, 'string') };

const registration = serviceMethods('pluginregistration.Registration');

export const registrationMethods = {
  getInfo: registration('GetInfo', {}, PluginInfo),
  notifyRegistrationStatus: registration('NotifyRegistrationStatus', RegistrationStatus, {}),
} as const;
