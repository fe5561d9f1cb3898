import { useProfile } from '../api/account.ts'
import { useServices } from '../api/context.tsx'
import { browserTimeZone } from '../ui/time.tsx'

/**
 * Remembers that the user declined this browser's time zone. The prompt returns in another time zone, or
 * after the browser has been in the user's own zone.
 */
export const useDismissedTimeZone = () => {
  const { browserStorage } = useServices()
  const id = useProfile().data?.value.id
  const name = `zone-kept.${id ?? ''}`
  return {
    isDismissed: (): boolean => browserStorage.read(name) === browserTimeZone(),
    dismiss: (): void => browserStorage.write(name, browserTimeZone()),
    reset: (): void => browserStorage.write(name, null),
  }
}
