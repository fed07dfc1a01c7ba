import { formatTime } from '@coxswain/apimachinery';
import { APIService } from '@coxswain/api/apiregistration/v1/index.ts';
import { APIService as APIServiceV1beta1 } from '@coxswain/api/apiregistration/v1beta1.ts';
import { legacy, legacyVersion, resource, served, type Group } from '../groups/resource.ts';
import { as } from '../groups/any-object.ts';
import { localFinding, statusWith } from './availability.ts';

/** The aggregator's own group: APIServices, which assign group versions to servers. */
export const apiregistrationGroup: Group = {
  name: 'apiregistration.k8s.io',
  versions: [served('v1'), legacyVersion('v1beta1')],
  resources: [
    resource(APIService, {
      alsoAs: [legacy(APIServiceV1beta1)],
      prefix: 'apiregistration.k8s.io/apiservices',
      status: { keepsMetadata: 'all', hasTable: false },
      allowUnconditionalUpdate: false,
      prepareForCreate(object, request) {
        const service = as<APIService>(object);
        if (service.spec?.service) return;
        service.status = statusWith(undefined, localFinding, formatTime(request.receivedAtMs));
      },
    }),
  ],
};
