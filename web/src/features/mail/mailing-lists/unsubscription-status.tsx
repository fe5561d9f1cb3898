import { useDates } from '../../../ui/time.tsx'
import type { Unsubscription } from './use-mailing-lists.ts'

/** Status text of an unsubscription. */
export const UnsubscriptionStatus = ({
  unsubscription: { at, to, status },
}: {
  unsubscription: Unsubscription
}) => {
  const { date } = useDates()
  switch (status) {
    case 'accepted':
      return <>You left it on {date(at)}.</>
    case 'queued':
      return <>A mail to {to} is on its way.</>
    case 'uncertain':
      return <>Nobody can tell whether your mail to {to} was sent.</>
    default:
      return (
        <>
          You wrote to {to} on {date(at)}.
        </>
      )
  }
}
