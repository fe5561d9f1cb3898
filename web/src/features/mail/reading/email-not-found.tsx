import { MailX } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { labelOf } from '../folders.ts'
import type { MailNavigation } from '../url-state.ts'

/** Shown for the address of a deleted email. */
export const EmailNotFound = ({ navigation }: { navigation: MailNavigation }) => (
  <div className="mail-nothing">
    <Empty icon={MailX} title="There is no such e-mail">
      <p>It may have been deleted for good, here or in another program.</p>
      <Button onClick={() => navigation.go({ open: null }, { replace: true })}>
        Back to {labelOf(navigation.urlState.folder)}
      </Button>
    </Empty>
  </div>
)
