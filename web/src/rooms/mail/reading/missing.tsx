import { MailX } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { labelOf } from '../folders.ts'
import type { Way } from '../place.ts'

/** Where an address leads to an e-mail that is no more. */
export const Missing = ({ way }: { way: Way }) => (
  <div className="mail-nothing">
    <Empty icon={MailX} title="There is no such e-mail">
      <p>It may have been deleted for good, here or in another program.</p>
      <Button onClick={() => way.go({ open: null }, { replace: true })}>
        Back to {labelOf(way.place.folder)}
      </Button>
    </Empty>
  </div>
)
