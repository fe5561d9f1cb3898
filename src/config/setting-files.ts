import { readFileSync } from 'node:fs'
import { variables } from './config.ts'
import { BadVariable } from './values.ts'

const SUFFIX = '_FILE'

type Environment = Readonly<Record<string, string | undefined>>

/** Whether the name is a setting, or names the file of a setting: `SECRET_KEY_FILE`. */
export const isSettingName = (name: string): boolean =>
  Object.hasOwn(variables, name) ||
  (name.endsWith(SUFFIX) && Object.hasOwn(variables, name.slice(0, -SUFFIX.length)))

/**
 * Reads settings from files: `SECRET_KEY_FILE=/run/secrets/key` sets SECRET_KEY to the content. Docker, podman and
 * systemd provide secrets as files, because other processes can read an environment.
 */
export const readSettingFiles = (environment: Environment): Environment => {
  const read: Record<string, string> = {}
  for (const name of Object.keys(variables)) {
    const path = environment[`${name}${SUFFIX}`]?.trim()
    if (!path) continue
    if (environment[name]?.trim())
      throw new BadVariable(`${name} and ${name}${SUFFIX} are both set: remove one of them`)
    read[name] = readSetting(`${name}${SUFFIX}`, path)
  }
  return { ...environment, ...read }
}

const readSetting = (name: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new BadVariable(
      `${name} names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})`,
    )
  }
}
