import com.cloudhopper.commons.charset.CharsetUtil;
import com.cloudhopper.commons.gsm.GsmUtil;
import com.cloudhopper.smpp.SmppServerConfiguration;
import com.cloudhopper.smpp.SmppServerHandler;
import com.cloudhopper.smpp.SmppServerSession;
import com.cloudhopper.smpp.SmppSessionConfiguration;
import com.cloudhopper.smpp.impl.DefaultSmppServer;
import com.cloudhopper.smpp.impl.DefaultSmppSessionHandler;
import com.cloudhopper.smpp.pdu.BaseBind;
import com.cloudhopper.smpp.pdu.BaseBindResp;
import com.cloudhopper.smpp.pdu.PduRequest;
import com.cloudhopper.smpp.pdu.PduResponse;
import com.cloudhopper.smpp.tlv.Tlv;
import com.cloudhopper.smpp.type.Address;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.netty.channel.Channel;
import org.jsmpp.bean.*;
import org.jsmpp.extra.NegativeResponseException;
import org.jsmpp.session.SMPPServerSession;
import org.jsmpp.session.SMPPServerSessionListener;
import org.jsmpp.session.connection.ServerConnection;
import org.jsmpp.session.connection.ServerConnectionFactory;
import org.jsmpp.session.connection.socket.ServerSocketConnection;

/**
 * Phones that send texts through an SMSC of Cloudhopper's library or of jsmpp, as the argument says. Cloudhopper's charsets
 * and the JDK's encode them, Cloudhopper splits the long ones, and the SMSC's library writes all PDUs.
 * Standard input: lines "text FROM TO CHARSET FORM REFERENCE TIMES CONTENT", CONTENT as UTF-8, or of the charset "binary"
 * its octets, in base64, and TIMES how often each part is sent; then "deliver BINDS", for when so many binds are there.
 * Standard output: "port N" once it listens, then "delivered N" once each of the N parts was acknowledged with status 0.
 * It ends with its standard input.
 */
public class Phones {
    private static final int SENDERS = 40;
    private static final long RESPONSE_MS = 120_000;
    private static final long RETRY_MS = 100;
    private static final byte UDH = 0x40;

    /** A deliver_sm; a total of 1 is a text that comes in one. */
    record Delivery(
            String from, String to, byte coding, String form, byte[] octets, int reference, int total, int number) {
        boolean isPart(String ofForm) {
            return total > 1 && form.equals(ofForm);
        }

        byte esmClass() {
            return isPart("udh8") || isPart("udh16") ? UDH : 0;
        }
    }

    interface Bind {
        /** Returns the status of the response. */
        int deliver(Delivery delivery) throws Exception;
    }

    private static final BlockingQueue<Bind> arrived = new LinkedBlockingQueue<>();

    public static void main(String[] args) throws Exception {
        System.out.println("port " + (args[0].equals("Jsmpp") ? listenByJsmpp() : listenByCloudhopper()));
        List<Delivery> deliveries = new ArrayList<>();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            if (words[0].equals("text")) add(words, deliveries);
            else deliver(deliveries, Integer.parseInt(words[1]));
        }
        System.exit(0);
    }

    private static void add(String[] words, List<Delivery> deliveries) {
        String from = words[1], to = words[2], form = words[4];
        int reference = Integer.parseInt(words[5]), times = Integer.parseInt(words[6]);
        byte[] content = Base64.getDecoder().decode(words[7]);
        String text = new String(content, StandardCharsets.UTF_8);
        byte coding;
        byte[] octets;
        switch (words[3]) {
            case "gsm" -> { coding = 0; octets = CharsetUtil.encode(text, CharsetUtil.CHARSET_GSM); }
            case "latin1" -> { coding = 3; octets = text.getBytes(StandardCharsets.ISO_8859_1); }
            case "ucs2" -> { coding = 8; octets = CharsetUtil.encode(text, CharsetUtil.CHARSET_UCS_2); }
            default -> { coding = 4; octets = content; }
        }
        byte[][] parts = form.equals("payload")
                ? null
                : GsmUtil.createConcatenatedBinaryShortMessages(octets, (byte) reference);
        int total = parts == null ? 1 : parts.length;
        for (int number = 1; number <= total; number++) {
            byte[] part = parts == null ? octets : parts[number - 1];
            if (form.equals("udh16")) part = parts == null ? part : withWideReference(part, reference);
            if (form.equals("sar") && parts != null) part = GsmUtil.getShortMessageUserData(part);
            Delivery one = new Delivery(from, to, coding, form, part, reference, total, number);
            deliveries.addAll(Collections.nCopies(times, one));
        }
    }

    /** 3GPP TS 23.040, 9.2.3.24.8. */
    private static byte[] withWideReference(byte[] part, int reference) {
        byte[] narrow = GsmUtil.getShortMessageUserDataHeader(part);
        byte[] content = GsmUtil.getShortMessageUserData(part);
        return ByteBuffer.allocate(7 + content.length)
                .put(new byte[] {6, 8, 4}).putShort((short) reference).put(narrow[4]).put(narrow[5])
                .put(content)
                .array();
    }

    /** In any order, each over the next bind, again until it is taken. */
    private static void deliver(List<Delivery> deliveries, int count) throws InterruptedException {
        List<Bind> binds = new ArrayList<>();
        while (binds.size() < count) binds.add(arrived.take());
        Collections.shuffle(deliveries);
        ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
        AtomicInteger next = new AtomicInteger();
        for (Delivery one : deliveries)
            senders.submit(() -> {
                while (!isTaken(one, binds.get(next.getAndIncrement() % count))) Thread.sleep(RETRY_MS);
                return null;
            });
        senders.shutdown();
        senders.awaitTermination(1, TimeUnit.HOURS);
        System.out.println("delivered " + deliveries.size());
    }

    private static boolean isTaken(Delivery delivery, Bind bind) {
        try {
            return bind.deliver(delivery) == 0;
        } catch (Exception error) {
            error.printStackTrace();
            return false;
        }
    }

    private static int listenByCloudhopper() throws Exception {
        SmppServerConfiguration settings = new SmppServerConfiguration();
        settings.setHost("127.0.0.1");
        settings.setPort(0);
        settings.setDefaultWindowSize(SENDERS);
        DefaultSmppServer server = new DefaultSmppServer(settings, new SmppServerHandler() {
            public void sessionBindRequested(Long id, SmppSessionConfiguration bound, BaseBind request) {
                bound.setName(bound.getSystemId());
            }

            public void sessionCreated(Long id, SmppServerSession session, BaseBindResp response) {
                session.serverReady(new DefaultSmppSessionHandler() {
                    @Override
                    public PduResponse firePduRequestReceived(PduRequest request) {
                        return request.createResponse();
                    }
                });
                arrived.add((delivery) -> deliverBy(session, delivery));
            }

            public void sessionDestroyed(Long id, SmppServerSession session) {
                session.destroy();
            }
        });
        server.start();
        // The library does not tell which port it was given.
        var channel = DefaultSmppServer.class.getDeclaredField("serverChannel");
        channel.setAccessible(true);
        return ((InetSocketAddress) ((Channel) channel.get(server)).getLocalAddress()).getPort();
    }

    private static int deliverBy(SmppServerSession session, Delivery delivery) throws Exception {
        var pdu = new com.cloudhopper.smpp.pdu.DeliverSm();
        pdu.setSourceAddress(new Address((byte) 1, (byte) 1, delivery.from));
        pdu.setDestAddress(new Address((byte) 1, (byte) 1, delivery.to));
        pdu.setDataCoding(delivery.coding);
        pdu.setEsmClass(delivery.esmClass());
        if (delivery.form.equals("payload")) pdu.addOptionalParameter(new Tlv((short) 0x0424, delivery.octets));
        else pdu.setShortMessage(delivery.octets);
        if (delivery.isPart("sar")) {
            byte[] reference = {(byte) (delivery.reference >> 8), (byte) delivery.reference};
            pdu.addOptionalParameter(new Tlv((short) 0x020c, reference));
            pdu.addOptionalParameter(new Tlv((short) 0x020e, new byte[] {(byte) delivery.total}));
            pdu.addOptionalParameter(new Tlv((short) 0x020f, new byte[] {(byte) delivery.number}));
        }
        var sent = session.sendRequestPdu(pdu, RESPONSE_MS, true);
        if (!sent.await() || !sent.isSuccess()) throw new IOException("no response");
        return sent.getResponse().getCommandStatus();
    }

    private static int listenByJsmpp() throws IOException {
        ServerSocket socket = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        SMPPServerSessionListener listener = new SMPPServerSessionListener(0, new ServerConnectionFactory() {
            public ServerConnection listen(int port) {
                return new ServerSocketConnection(socket);
            }

            public ServerConnection listen(int port, int timeout) {
                return listen(port);
            }

            public ServerConnection listen(int port, int timeout, int backlog) {
                return listen(port);
            }
        });
        Thread accepting = new Thread(() -> {
            while (true)
                try {
                    SMPPServerSession session = listener.accept();
                    session.setTransactionTimer(RESPONSE_MS);
                    session.waitForBind(RESPONSE_MS).accept("jsmpp");
                    arrived.add((delivery) -> deliverBy(session, delivery));
                } catch (Exception left) {
                    left.printStackTrace();
                }
        });
        accepting.setDaemon(true);
        accepting.start();
        return socket.getLocalPort();
    }

    private static int deliverBy(SMPPServerSession session, Delivery delivery) throws Exception {
        List<OptionalParameter> tlvs = new ArrayList<>();
        boolean isPayload = delivery.form.equals("payload");
        if (isPayload) tlvs.add(new OptionalParameter.Message_payload(delivery.octets));
        if (delivery.isPart("sar")) {
            tlvs.add(new OptionalParameter.Sar_msg_ref_num((short) delivery.reference));
            tlvs.add(new OptionalParameter.Sar_total_segments((byte) delivery.total));
            tlvs.add(new OptionalParameter.Sar_segment_seqnum((byte) delivery.number));
        }
        try {
            session.deliverShortMessage("",
                    TypeOfNumber.INTERNATIONAL, NumberingPlanIndicator.ISDN, delivery.from,
                    TypeOfNumber.INTERNATIONAL, NumberingPlanIndicator.ISDN, delivery.to,
                    new ESMClass(delivery.esmClass()), (byte) 0, (byte) 0, new RegisteredDelivery(0),
                    new RawDataCoding(delivery.coding), isPayload ? new byte[0] : delivery.octets,
                    tlvs.toArray(OptionalParameter[]::new));
            return 0;
        } catch (NegativeResponseException refused) {
            return refused.getCommandStatus();
        }
    }
}
