import { useProfile } from '../api/account.ts'
import { useWorld } from '../api/context.tsx'
import { browserTimeZone } from '../ui/time.tsx'

/**
 * In which zone this browser was when the person chose to go by another's clocks. They are asked again only where it is
 * in yet another zone, and after it has been at home.
 */
export const useKeptZone = () => {
  const { memory } = useWorld()
  const id = useProfile().data?.value.id
  const name = `zone-kept.${id ?? ''}`
  return {
    isKept: (): boolean => memory.read(name) === browserTimeZone(),
    keep: (): void => memory.write(name, browserTimeZone()),
    forget: (): void => memory.write(name, null),
  }
}
