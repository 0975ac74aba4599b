import { join, resolve } from 'node:path';
import { LakeBucket } from './bucket/bucket.ts';
import { type BucketAddress, S3Bucket } from './bucket/s3.ts';
import { LakeFolder } from './files/folder.ts';
import { LakeError } from './files/manifest.ts';
import type { LakeStore } from './files/store.ts';

/** As the settings have them. */
export interface LakeSettings {
  lakeUrl: string | null;
  dataDir: string;
  awsEndpointUrl: string | null;
  awsRegion: string;
  awsAccessKeyId: string;
  awsSecretAccessKey: string;
  awsSessionToken: string;
}

const BUCKET_URL = /^s3:\/\/([^/]+)\/?(.*)$/;

/** Opens the lake of the settings; by default it is in the folder `lake` of the data. */
export function openLake(settings: LakeSettings): LakeStore {
  const { lakeUrl, dataDir } = settings;
  const [, bucket, folder = ''] = BUCKET_URL.exec(lakeUrl ?? '') ?? [];
  if (bucket === undefined) return new LakeFolder(resolve(lakeUrl ?? join(dataDir, 'lake')));
  const prefix = folder === '' ? '' : `${folder}/`;
  return new LakeBucket(new S3Bucket(addressOf(settings, bucket, prefix)), resolve(dataDir, 'lake-bucket'));
}

function addressOf(settings: LakeSettings, bucket: string, prefix: string): BucketAddress {
  const { awsEndpointUrl, awsRegion, awsAccessKeyId, awsSecretAccessKey, awsSessionToken } = settings;
  if (awsAccessKeyId === '' || awsSecretAccessKey === '')
    throw new LakeError('LAKE_URL is a bucket, which needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  if (awsRegion === '' && awsEndpointUrl === null)
    throw new LakeError(
      'LAKE_URL is a bucket: set AWS_REGION to its region, or AWS_ENDPOINT_URL to its server if that is not Amazon',
    );
  return {
    ...{ bucket, prefix, endpoint: awsEndpointUrl, region: awsRegion === '' ? 'us-east-1' : awsRegion },
    ...{ accessKeyId: awsAccessKeyId, secretAccessKey: awsSecretAccessKey },
    sessionToken: awsSessionToken === '' ? null : awsSessionToken,
  };
}
