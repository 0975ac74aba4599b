import { join } from 'node:path';
import { type KeySource, keyFile, keysOfSetting } from '../accounts/vault/secret-keys.ts';
import { SettingError, type Settings } from '../settings.ts';

/** The keys of the stored secrets: SECRET_KEY, SECRET_KEY_FILE, or else a file in the data folder that we create. */
export function keySourceOf({
  secretKey,
  secretKeyFile,
  dataDir,
}: Pick<Settings, 'secretKey' | 'secretKeyFile' | 'dataDir'>): KeySource {
  if (secretKey.length > 0 && secretKeyFile !== '')
    throw new SettingError('SECRET_KEY and SECRET_KEY_FILE are both set; set only one of them');
  if (secretKey.length > 0) return keysOfSetting(secretKey);
  return secretKeyFile === '' ? keyFile(join(dataDir, 'secret.key'), true) : keyFile(secretKeyFile, false);
}
