import { invalidField } from './errors.ts'

const isLocale = (name: string): boolean => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(name).length > 0
  } catch {
    return false
  }
}

export const checkLocale = (path: string, name: string): void => {
  if (!isLocale(name)) throw invalidField(path, 'must be a language tag, such as en or de-AT')
}
