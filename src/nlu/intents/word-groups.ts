/*
 * Hand-written groups of synonyms. They are finer than the word classes, and a word may be in several groups.
 * Only the largest model reads them, in its networks (`classifier.ts`) and its linear part
 * (`features.ts`).
 */
const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  doing: {
    create:
      'create make build form establish generate start begin initiate setup compose produce construct design invent',
    add: 'add include insert append put attach enter jot write note record log register enroll incorporate tack throw toss stick pencil',
    remove:
      'remove delete erase clear wipe scratch strike cross drop discard eliminate trash dump scrap purge ditch dismiss exclude omit subtract nix axe throwaway forget rid toss undo',
    cancel:
      'cancel abort abandon revoke withdraw annul void nullify scrap decline reject skip postpone delay',
    set: 'set schedule fix arrange establish appoint program configure adjust setup assign reserve',
    move: 'move shift reschedule postpone delay push transfer relocate change swap bring advance',
    book: 'book reserve purchase buy order secure obtain acquire get grab procure snag hire rent hail summon',
    show: 'show display present list view bring pull reveal exhibit print output enumerate pop',
    tell: 'tell inform advise update brief notify let say mention report share announce apprise enlighten fill describe relate narrate',
    read: 'read recite narrate dictate',
    find: 'find search locate look seek discover hunt lookup google browse scan trace track identify pinpoint figure research retrieve fetch explore',
    check:
      'check verify confirm ensure validate review inspect examine investigate test doublecheck recheck crosscheck reconfirm reverify assure determine see audit proof',
    know: 'know learn understand aware discover find wonder wondering curious realize hear',
    ask: 'ask question query inquire enquire request',
    give: 'give provide supply offer hand grant deliver furnish lend serve bring',
    open: 'open launch start run load boot execute initiate begin access bring',
    close: 'close exit quit end shut terminate finish leave',
    play: 'play replay stream spin blast perform put hear listen rock',
    pause: 'pause hold freeze interrupt suspend wait halt',
    resume: 'resume continue unpause proceed restart carry pick keep',
    next: 'skip next forward advance jump previous back rewind',
    repeat:
      'repeat again replay redo reiterate restate retell rerun loop resay recap twice rewind recite reread',
    shuffle: 'shuffle random randomize mix randomly',
    stop: 'stop halt cease quit end abort cancel enough terminate finish desist silence silent hush shush shut shutup quiet discontinue drop nevermind hold wait pause freeze kill',
    turn: 'turn switch flip toggle power flick',
    off: 'off out deactivate disable shut extinguish kill unplug down disconnect',
    on: 'on activate enable light start power ignite plug connect',
    increase:
      'increase raise higher up boost amplify turn crank pump heighten elevate intensify more maximize max bump strengthen enhance lift louder brighter brighten lighten',
    decrease:
      'decrease lower reduce down lessen diminish minimize min drop soften turn quieter dim dimmer darken less cut weaken fade softer tone',
    mute: 'mute silence silent hush quiet shush unmute noiseless quieten shh',
    change:
      'change alter modify switch edit convert adjust update replace swap transform vary set correct revise customize tweak amend',
    like: 'like love enjoy adore prefer appreciate dig fancy favor relish into fond fan admire',
    dislike:
      'dislike hate despise loathe detest disgust annoy bother irritate suck sucks terrible awful horrible worst bad boring lame crap stupid dumb',
    rate: 'rate rating star stars score rank review thumbs evaluate grade opinion vote',
    save: 'save store keep bookmark remember memorize retain record log mark archive file favorite',
    send: 'send forward mail deliver dispatch transmit shoot fire ship submit email write drop',
    reply: 'reply respond answer return write react response',
    write: 'write compose draft type dictate pen jot',
    call: 'call phone dial ring telephone buzz contact reach',
    post: 'post tweet share upload publish update write put announce broadcast send',
    complain:
      'complain complaint gripe rant whine protest report grievance dissatisfied unhappy disappointed upset frustrated unsatisfied displeased poor rude terrible awful worst horrible bad unacceptable angry',
    invite: 'invite include ask bring add',
    attend: 'attend join go visit participate come show',
    meet: 'meet see visit gather hang catch talk',
    remind:
      'remind reminder notify alert alarm notification prompt ping nudge warn tell memo remember forget',
    wake: 'wake awake awaken rouse getup up rise',
    snooze: 'snooze nap sleep delay',
    clean:
      'clean vacuum sweep mop dust wash scrub polish tidy wipe hoover shampoo mow rinse sanitize disinfect declutter organize',
    cook: 'cook bake make prepare fry grill boil roast steam broil saute simmer poach barbecue microwave toast stew whip marinate sear mix blend chop peel serve fix brew season',
    eat: 'eat dine consume have taste munch snack feast lunch try devour swallow',
    drink: 'drink sip gulp',
    brew: 'brew make pour prepare percolate grind start drip',
    order: 'order deliver delivery takeout takeaway get bring buy place send request carryout pickup',
    travel: 'travel go get fly drive ride commute head journey visit leave trip reach walk bike',
    arrive: 'arrive arrival come land reach due arriving eta pull',
    depart: 'depart leave departure go take set departing leaving',
    drive: 'drive driving commute ride steer travel go car',
    rain: 'rain snow pour drizzle shower hail storm sleet thunder sprinkle flurry',
    wear: 'wear bring carry need dress put pack take',
    define:
      'define definition mean meaning describe explain explanation interpret signify denote stand synonym term',
    explain:
      'explain clarify elaborate describe rephrase reword specify elucidate expound simplify expand detail clear illuminate paraphrase interpret spell unclear vague confuse confusing clarification further',
    understand:
      'understand comprehend follow grasp get catch realize see understood clear sense misunderstand misunderstood mishear misheard hear heard misinterpret unclear lost confused puzzled',
    calculate:
      'calculate compute solve add subtract multiply divide sum work figure evaluate estimate total count tally',
    convert: 'convert exchange change translate equal equivalent worth trade conversion switch transform',
    cost: 'cost price worth charge expensive cheap value pay fee fare much amount rate trading trade trades valued going',
    joke: 'joke jokes laugh funny amuse humor pun crack tickle giggle chuckle cheer entertain hilarious smile comedy',
    think:
      'think believe feel guess suppose reckon consider opinion wonder imagine assume figure thought thoughts',
    help: 'help assist aid support assistance',
    recommend:
      'recommend suggest advise propose recommendation suggestion suggestions advice idea ideas best good',
    happen: 'happen occur go take happening going occurring on up new transpire',
    need: 'need want require wish desire must crave would like',
    work: 'work function operate run',
    have: 'have has had got own possess is are exist any',
    do: 'do did done does doing perform accomplish complete execute carry',
    try: 'try attempt retry again',
    follow: 'follow unfollow friend unfriend add subscribe tag mention',
    watch: 'watch see view stream catch',
    charge: 'charge plug power recharge',
  },
  answering: {
    yes: 'yes yeah yep yup sure ok okay yea ya aye affirmative indeed absolutely definitely certainly course alright fine agreed agree correct right exactly totally true precisely perfect perfectly roger gotcha great good yah accurately properly spot',
    no: 'no nope nah not negative never wrong incorrect false mistaken mistake error untrue inaccurate incorrectly wrongly disagree neither nay oops misunderstood didnt dont isnt wasnt cannot cant wont',
    thanks: 'thanks thank thankyou thx appreciate grateful gratitude cheers kind obliged welcome ty thankful',
    praise:
      'great awesome excellent good nice wonderful perfect amazing brilliant cool fantastic superb terrific fabulous outstanding marvelous splendid magnificent incredible impressive super wow bravo kudos congrats congratulations exceptional lovely beautiful smart clever genius bright intelligent best helpful useful fine neat sweet remarkable phenomenal stellar fab spectacular star champ rock well job done work proud rocks admirable',
    dontcare:
      'whatever whichever anything anyone whoever anyway matter matters care cares mind minds bother difference indifferent either any doesnt fine preference prefer unimportant irrelevant decide choose choice pick regardless shrug wherever whenever however nothing important everything concern interested',
    sure: 'sure certain positive confident correct right accurate exact certainty really seriously truly',
    sorry: 'sorry pardon excuse apologize apologies forgive beg',
    greet: 'hello hi hey greetings howdy hiya yo welcome morning goodbye bye farewell later night goodnight',
    please: 'please kindly pls plz',
    last: 'last said just previous previously earlier before that told spoke saying',
    once: 'once again more one another over time repeat further back',
    grasped: 'right correct correctly properly accurately exactly heard understood got get',
    utterance:
      'command instruction instructions request order task question query words phrase sentence statement answer response said',
  },
  how: {
    time: 'time clock hour oclock hours minutes timezone zone gmt est pst utc cst mst ist edt pdt',
    date: 'date day today month year calendar weekday',
    how: 'how much many long far old tall big often soon late early deep high large heavy fast wide',
    latest:
      'latest newest recent recently new current currently today top breaking hot trending now update updates last live',
    near: 'near nearby nearest close closest around local vicinity neighborhood area surrounding proximity within walking here block blocks town radius adjacent locally',
    best: 'best top good great finest highest popular favorite better rated recommended ideal famous nice decent favourite',
    bad: 'bad worst terrible awful horrible poor lousy dreadful nasty crappy',
    any: 'any some anything something ones',
    all: 'all every everything entire whole each complete total full everyone everybody completely',
    long: 'long duration last takes take length lengthy',
    late: 'late delayed delay time schedule ontime early behind',
    open: 'open close closed opening closing hours business available',
    free: 'free busy available occupied booked open vacant availability clear',
    random: 'random randomly any surprise some whichever arbitrary shuffle',
    sad: 'sad depressed unhappy lonely blue upset miserable gloomy down crying cry heartbroken hopeless hurt',
    happy: 'happy glad joyful cheerful delighted pleased excited thrilled content joy',
    angry: 'angry mad furious annoyed irritated frustrated pissed',
    tired: 'tired exhausted sleepy bored boring fatigue weary',
    loud: 'loud noisy noise louder deafening sound',
    bright: 'bright light brighter vivid shiny brightness brighten lumens',
    dark: 'dark dim dimmer darker gloomy darken night dimly softer mood',
    warm: 'warm hot heat sunny humid warmer toasty boiling scorching hotter',
    cold: 'cold cool chilly freezing freeze frosty icy colder cooler snow',
    wet: 'wet rain rainy raining umbrella damp soaked raincoat shower moist',
    cheap:
      'cheap inexpensive affordable cheaper cheapest discount budget deal bargain low sale expensive pricey costly',
    fast: 'fast quick fastest quickest quickly speedy rapid immediately asap hurry urgent soon shortest express',
    smart: 'smart intelligent clever genius brilliant wise',
    important: 'important urgent critical essential priority vital major significant',
    unread: 'unread new recent unopened unseen missed latest received',
    every:
      'every daily weekly monthly yearly recurring repeat each everyday regular weekday weekdays annually always',
    romantic: 'romantic love valentine relaxing calm soothing soft slow sleep',
    party: 'party festive dance upbeat energetic fun workout',
  },
  house: {
    lamp: 'light lights lamp lamps bulb bulbs chandelier lighting luminaire lantern hue led illumination lightbulb torch flashlight nightlight',
    brightness: 'brightness intensity dimness luminosity level shade glow percent percentage',
    colour:
      'color colour red blue green yellow purple pink orange white black brown violet magenta turquoise cyan teal indigo gold golden silver gray grey lavender maroon crimson scarlet aqua amber beige tan peach lime navy ivory rainbow hue tint shade warmer',
    room: 'room bedroom kitchen bathroom living hallway hall garage basement attic office porch den corridor washroom lounge dining study nursery pantry closet foyer cellar patio balcony toilet restroom lobby stairs staircase upstairs downstairs entryway loft library conservatory sunroom playroom guest yard backyard driveway outdoor outside',
    house: 'house home apartment flat place condo building property residence',
    socket: 'socket outlet plug wemo switch power smart electrical adapter strip',
    appliance:
      'fan heater tv television oven dishwasher washer dryer refrigerator fridge freezer stove microwave toaster kettle humidifier purifier ac conditioner thermostat computer printer iron blender',
    vacuum: 'vacuum roomba robot hoover cleaner irobot sweeper dyson neato mop broom',
    floor: 'floor carpet rug tile hardwood mat furniture couch sofa curtains tiles carpets rugs',
    dirt: 'dirty dust dusty mess messy dirt filthy crumbs stain spill pet hair',
    coffee:
      'coffee espresso latte cappuccino mocha americano cup brew coffeemaker mug java joe cuppa decaf caffeine macchiato roast barista pot keurig nespresso percolator frappuccino',
    drink:
      'tea water juice soda beer wine milk milkshake cocktail drink beverage smoothie lemonade coke pepsi sprite champagne whiskey vodka',
    strong: 'strong weak dark sugar cream black creamer foam sweetened skimmed',
  },
  calendar: {
    calendar: 'calendar schedule agenda diary planner itinerary calender datebook outlook',
    event:
      'event appointment meeting engagement commitment occasion conference function activity activities session gathering date',
    meeting:
      'meeting conference call standup interview discussion presentation seminar workshop webinar briefing review huddle sync',
    party:
      'party birthday anniversary wedding celebration bash shower reunion graduation ceremony reception gala baptism prom picnic barbecue bbq',
    medical:
      'doctor dentist checkup appointment physician therapist surgery clinic hospital optometrist orthodontist vet physical dermatologist pediatrician',
    care: 'haircut barber salon massage spa manicure pedicure hairdresser facial nails',
    meal: 'breakfast brunch lunch dinner supper meal snack dessert appetizer',
    day: 'monday tuesday wednesday thursday friday saturday sunday',
    month: 'january february march april may june july august september october november december',
    soon: 'today tonight tomorrow now later soon morning afternoon evening noon midnight night weekend week',
    holiday:
      'christmas easter thanksgiving halloween hanukkah ramadan diwali valentine holiday independence memorial labor newyear eve patricks vacation passover',
    alarm: 'alarm alarms wake timer snooze clock alert buzzer bell ringtone chime',
    trip: 'vacation trip holiday getaway tour travel cruise camping visit honeymoon',
    work: 'work office job business shift project deadline client boss team report presentation task',
    school:
      'school class lecture homework exam test lesson course study college university assignment classes tutor essay quiz',
  },
  lists: {
    list: 'list lists checklist todo inventory items item entries catalog playlist register',
    shop: 'grocery groceries shopping shop supermarket buy store market errands',
    chore: 'chore chores task tasks errand todo duties housework laundry dishes trash',
    goods:
      'milk eggs bread butter cheese sugar flour rice salt pepper oil onions potatoes tomatoes apples bananas oranges carrots lettuce chicken beef meat fish detergent soap shampoo toothpaste paper towels tissue napkins batteries bulbs diapers bags water juice coffee tea cereal pasta sauce ketchup mustard mayonnaise honey jam cookies chips yogurt candy',
  },
  people: {
    mail: 'email emails mail mails inbox gmail message messages outlook yahoo hotmail letter',
    attachment: 'attachment file subject document cc bcc spam draft folder sender recipient',
    contact:
      'contact contacts address number phone phonebook directory details info information book rolodex card',
    contactinfo:
      'address phone number email birthday birthdate job company title work cell mobile lives live residence home fax zip location age surname lastname nickname',
    kin: 'mom mother dad father brother sister wife husband son daughter uncle aunt grandma grandmother grandpa grandfather cousin parents family kids child children nephew niece mum spouse partner fiance fiancee sibling inlaw mama papa',
    friend: 'friend friends buddy pal roommate neighbor girlfriend boyfriend bestie bff mate dude guy guys',
    boss: 'boss manager supervisor colleague coworker employee client customer secretary assistant ceo director staff team hr',
    pro: 'doctor lawyer plumber electrician accountant teacher professor landlord mechanic agent driver',
  },
  social: {
    network:
      'facebook twitter instagram snapchat linkedin reddit tumblr pinterest whatsapp youtube tiktok myspace fb insta social media network networks',
    post: 'post tweet status message update story comment hashtag retweet picture photo selfie pic video wall feed timeline profile news notifications notification',
    trend: 'trending trend trends viral popular hashtag hashtags topics',
    service: 'customer service support representative consumer company department helpdesk care complaint',
    brand:
      'walmart amazon verizon comcast att target mcdonalds starbucks samsung apple nike dell sony bestbuy tmobile sprint delta united costco ebay paypal fedex ups usps kfc microsoft toyota ford',
  },
  figures: {
    news: 'news headline headlines breaking article articles story stories bulletin newspaper coverage report journalism paper affairs happenings updates',
    source:
      'cnn bbc fox nbc abc cbs msnbc reuters guardian nytimes times post journal huffington npr aljazeera bloomberg economist espn telegraph mail buzzfeed ap usa sky google yahoo',
    topic:
      'politics political election economy world sports sport science technology tech business health entertainment weather war president trump obama clinton brexit congress senate government terrorism immigration climate celebrity international local national policy syria russia',
    stock:
      'stock stocks share shares nasdaq dow nyse ticker market index bond equity equities price trading shareholder dividend portfolio sensex ftse futures exchange',
    company:
      'google apple microsoft amazon tesla ibm walmart facebook netflix samsung sony nike boeing ford disney starbucks intel oracle cisco pepsi coca cola twitter uber exxon verizon gm motors general electric alphabet chevron pfizer att target costco nvidia amd hp dell adobe ebay paypal visa mastercard citigroup goldman sachs morgan jpmorgan wells fargo bank mcdonalds toyota honda bmw johnson procter gamble berkshire snapchat snap',
    currency:
      'dollar dollars euro euros pound pounds yen rupee rupees peso pesos franc francs won yuan bitcoin lira ruble rubles dinar krona krone rand real baht ringgit shekel forint zloty usd eur gbp inr jpy cad aud cny chf currency currencies sterling dirham riyal renminbi buck bucks',
    exchange: 'exchange rate conversion convert rates worth equal equals equivalent value',
    maths:
      'plus minus times divided multiply multiplied subtract add square root cube percent percentage sum difference product quotient equation fraction factorial power squared cubed equals equal math maths algebra logarithm sine cosine tangent pi area circumference average integral derivative calculate solve',
    number:
      'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion zero half',
  },
  facts: {
    person:
      'president actor actress singer author scientist king queen inventor celebrity prime minister governor senator politician director artist musician philosopher poet painter writer emperor athlete leader founder pope mayor billionaire comedian',
    bio: 'born age old died death birthday birthplace married wife husband children height tall weight net worth biography spouse alive dead famous dating divorced',
    geo: 'capital population country city state continent ocean river mountain lake island desert area border located location distance latitude longitude sea volcano peak hemisphere',
    super:
      'highest largest biggest deepest longest tallest smallest oldest richest fastest first shortest heaviest hottest coldest greatest most youngest widest',
    science:
      'planet sun moon earth star galaxy universe atom element chemical gravity light speed sound temperature evolution dinosaur species animal dna cell energy physics chemistry biology mars jupiter space oxygen hydrogen molecule bacteria virus',
    history:
      'war battle history century ancient revolution empire independence invented discovered founded built happened signed assassinated roman civil',
    wonder:
      'eiffel tower everest statue liberty pyramid pyramids wall taj mahal niagara grand canyon amazon nile sahara colosseum kremlin',
    object:
      'chair table car computer phone book pen tree flower house apple guitar lamp window door ball bicycle umbrella spoon knife bottle clock shoe hat circle sphere square triangle cylinder rectangle box',
    word: 'word words term phrase noun verb dictionary synonym spelling spell vocabulary wikipedia thesaurus adjective',
    abstract:
      'love life happiness justice freedom truth hope faith courage integrity democracy capitalism socialism communism philosophy gravity irony metaphor paradox karma globalization photosynthesis entropy algorithm inflation recession',
  },
  food: {
    dish: 'pizza burger burgers hamburger sandwich pasta spaghetti lasagna curry soup salad steak tacos taco burrito sushi noodles ramen pie cake casserole omelette omelet stew chili meatloaf risotto paella biryani quesadilla enchiladas nachos fries wings hotdog dumplings pancakes waffles meatballs ravioli gumbo quiche kebab falafel hummus guacamole macaroni lo mein teriyaki',
    meat: 'chicken beef pork lamb turkey ham bacon sausage steak fish salmon tuna shrimp lobster crab duck veal ribs meat seafood cod tilapia',
    veg: 'potato potatoes tomato tomatoes onion carrots lettuce spinach broccoli mushroom corn beans peas pepper cabbage cucumber garlic celery zucchini eggplant cauliflower kale squash asparagus pumpkin vegetable vegetables',
    fruit:
      'apple banana orange lemon grapes strawberry strawberries blueberry cherry peach pear mango pineapple watermelon coconut lime raspberry fruit avocado kiwi melon plum',
    sweet:
      'cake cookies cookie brownie brownies pie chocolate icecream dessert candy donut doughnut muffin cupcake pudding cheesecake fudge tart pastry custard frosting ice cream',
    staple: 'rice bread eggs egg flour sugar butter milk cheese salt oil yogurt cream honey',
    cuisine:
      'chinese italian mexican indian thai japanese french greek korean vietnamese american mediterranean vegan vegetarian halal kosher asian spanish turkish lebanese cajun',
    chain:
      'dominos domino mcdonalds subway kfc starbucks chipotle wendys pizzahut hut burgerking king papa johns panda express dunkin arbys applebees chilis olive garden outback dennys ihop panera popeyes sonic bell taco five',
    recipe:
      'recipe recipes ingredients ingredient instructions directions steps cookbook dish cuisine recipies method preparation',
    kitchen: 'oven stove pan pot grill crockpot slow cooker microwave skillet bowl spoon degrees fryer',
    eatery:
      'restaurant restaurants cafe diner bar pub bistro pizzeria steakhouse eatery buffet bakery deli grill joint tavern brewery foodtruck coffeehouse takeaway takeout',
    delivery:
      'delivery deliver delivers takeaway takeout carryout pickup togo order doordash grubhub seamless ubereats foodpanda',
    orderstatus:
      'status ready track arrive delivered order coming placed late confirmed wait progress dispatched',
    hungry: 'hungry starving craving appetite thirsty famished hunger',
  },
  media: {
    music:
      'music song songs track tracks tune tunes album albums playlist melody band lyrics singer single ballad hit hits jam jams',
    genre:
      'rock jazz pop rap hip hop classical country metal blues reggae techno electronic folk punk soul disco opera indie rnb dance house trance dubstep salsa gospel alternative acoustic grunge ska funk heavy hiphop edm',
    artist:
      'beatles elvis madonna beyonce adele rihanna shakira eminem drake coldplay metallica nirvana queen prince michael jackson justin bieber taylor swift lady gaga ed sheeran mozart beethoven bach dylan pink floyd led zeppelin rolling stones bruno mars katy perry radiohead abba acdc sinatra kanye jay maroon linkin park green day bon jovi bowie springsteen marley hendrix aerosmith guns roses ariana grande selena gomez weeknd chopin vivaldi pitbull usher timberlake kendrick lamar cash sia lorde enya journey eagles johnny',
    musicwho:
      'artist singer band composer sings sang sung singing performed performer wrote album released title name called musician vocalist',
    player:
      'spotify pandora itunes player repeat shuffle soundcloud equalizer loop winamp deezer tidal sonos bluetooth speaker speakers',
    radio: 'radio station fm am channel frequency npr sirius xm broadcast stations tune dab iheart tunein',
    podcast: 'podcast podcasts episode episodes show host subscribe serial ted nerdist npr rogan',
    book: 'audiobook audiobooks book audible novel chapter author reading narrator story page kindle bestseller fiction paragraph books autobiography bible',
    bookname:
      'harry potter lord rings hobbit gatsby mockingbird pride prejudice twilight hunger games thrones sherlock holmes dickens shakespeare tolkien rowling stephen king grisham austen hemingway dracula frankenstein odyssey moby dick alice wonderland narnia',
    game: 'game games chess checkers solitaire sudoku tictactoe hangman trivia monopoly minecraft poker bingo scrabble crossword pacman tetris pong snake puzzle blackjack minesweeper ludo uno mario zelda pokemon fifa warcraft halo candy crush angry birds farmville clash clans temple run cards xbox playstation arcade tic tac toe pinball hearts quiz rummy racing tennis golf',
    film: 'movie movies film films cinema theater theatre imax screening showtime showtimes trailer flick blockbuster premiere',
    filmgenre:
      'comedy horror thriller drama action romance romantic scifi animated documentary musical western fantasy adventure mystery family disney superhero suspense',
    filmname:
      'star wars avengers batman superman spiderman wonder woman frozen titanic avatar matrix inception deadpool guardians logan transformers bond jurassic moana thor beauty beast',
    volume: 'volume sound audio speaker speakers loudness noise bass decibel decibels headphones',
    tv: 'tv television show series netflix hulu channel episode season sitcom program',
    sport:
      'football basketball baseball soccer hockey cricket tennis golf nfl nba mlb nhl match score team league superbowl olympics rugby boxing ufc championship playoff player win won',
  },
  ways: {
    taxi: 'taxi cab uber lyft ride cabs driver pickup minicab rideshare limo limousine carpool ola',
    train: 'train trains railway rail amtrak metro subway tube tram eurostar locomotive express intercity',
    bus: 'bus buses coach greyhound shuttle minibus',
    plane:
      'flight flights plane airplane airline airlines airport fly jet boarding terminal jetblue southwest lufthansa emirates',
    ship: 'ferry boat ship cruise',
    ticket:
      'ticket tickets fare pass seat reservation booking oneway roundtrip return coach class berth seats',
    station: 'station platform stop terminal depot gate airport',
    traffic:
      'traffic congestion jam accident accidents construction delay delays backed gridlock crash roadwork rush blocked heavy bottleneck flow collision roadblock backup',
    road: 'road highway freeway street interstate route bridge lane avenue exit motorway expressway turnpike boulevard tunnel main roads streets path',
    directions: 'directions route way navigate gps map maps navigation path shortcut guide get',
    distance: 'distance far miles kilometers long away mile km',
    place:
      'store shop mall museum park hotel supermarket pharmacy gas cinema hospital beach bookstore bank library school church gym zoo aquarium gallery stadium plaza bar club nightclub salon market bakery motel hostel bowling alley theater attractions landmark garden pool playground castle monument temple mosque laundromat atm',
    events:
      'event events festival concert concerts fair exhibition performance gig parade show carnival expo rally meetup happening activities fun things attraction fireworks art theatre musical play recital circus circuses rodeo flea happenings nightlife',
    city: 'london paris york angeles chicago boston tokyo berlin rome madrid delhi mumbai sydney toronto seattle dallas houston atlanta miami vegas francisco denver austin philadelphia orlando detroit phoenix moscow dubai beijing shanghai washington portland diego antonio jose nashville baltimore cleveland pittsburgh minneapolis tampa charlotte sacramento brooklyn manhattan edinburgh manchester birmingham glasgow dublin',
    country:
      'america england france germany italy spain china japan india russia canada mexico brazil australia usa uk britain ireland scotland greece egypt israel turkey sweden norway poland korea iran iraq pakistan africa europe asia',
    state:
      'california texas florida ohio michigan georgia virginia carolina pennsylvania illinois washington arizona colorado oregon jersey massachusetts indiana tennessee missouri maryland wisconsin minnesota alabama louisiana kentucky oklahoma connecticut utah iowa nevada arkansas mississippi kansas nebraska hawaii alaska maine idaho montana dakota vermont wyoming delaware',
  },
  weather: {
    weather: 'weather forecast climate temperature conditions outside meteorological outdoors',
    rain: 'rain rainy raining umbrella shower showers precipitation drizzle raincoat storm thunderstorm storms wet flood downpour sprinkle lightning',
    snow: 'snow snowy snowing sleet hail blizzard ice icy frost snowfall shovel',
    sun: 'sun sunny sunshine clear sunscreen sunglasses sunburn sunlight uv cloudless',
    cloud: 'cloud cloudy clouds overcast fog foggy hazy mist gloomy smog humidity humid',
    wind: 'wind windy breeze breezy hurricane tornado gust gusts cyclone windspeed',
    temp: 'temperature degrees fahrenheit celsius hot cold warm cool chilly freezing heat high low mild hotter colder',
    clothes:
      'jacket coat umbrella sweater scarf gloves hat boots shorts sandals sunglasses hoodie tshirt shirt flipflops raincoat clothes dress sleeves',
  },
  talk: {
    self: 'you your yourself olly alexa siri google cortana assistant robot ai bot computer pda machine',
    life: 'life god meaning universe death dream soul purpose exist religion heaven hell afterlife human humans aliens future love',
    day: 'day today yesterday feeling mood morning going weekend',
    relation:
      'relationship marry girlfriend boyfriend married date dating kiss love wife husband divorce partner friend',
    money:
      'money rich million salary afford invest loan debt bill bills tax taxes mortgage budget income finance',
    health:
      'health sick headache flu cold fever pain doctor medicine diet weight exercise workout gym calories symptoms allergy vitamin sleep healthy cough',
    pet: 'dog cat pet puppy kitten fish bird hamster horse',
    clothes: 'dress shirt outfit shoes pants wear clothes jeans fashion style look',
    hobby:
      'hobby hobbies sport reading painting gardening fishing hiking dancing swimming running cycling yoga',
    advice: 'advice should tips suggest recommend opinion think help',
  },
}

const MEMBERS = new Map<string, string[]>()
for (const [subject, groups] of Object.entries(GROUPS))
  for (const [name, words] of Object.entries(groups)) {
    const group = `${subject} ${name}`
    for (const word of words.split(' ')) {
      const own = MEMBERS.get(word)
      if (own) own.push(group)
      else MEMBERS.set(word, [group])
    }
  }

const NONE: readonly string[] = []

/** Returns the groups of a lower-case word. */
export const membershipsOf = (word: string): readonly string[] => MEMBERS.get(word) ?? NONE
