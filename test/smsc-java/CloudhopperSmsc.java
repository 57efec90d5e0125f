import com.cloudhopper.commons.charset.Charset;
import com.cloudhopper.commons.charset.CharsetUtil;
import com.cloudhopper.commons.gsm.GsmUtil;
import com.cloudhopper.smpp.SmppConstants;
import com.cloudhopper.smpp.SmppServerConfiguration;
import com.cloudhopper.smpp.SmppServerHandler;
import com.cloudhopper.smpp.SmppServerSession;
import com.cloudhopper.smpp.SmppSessionConfiguration;
import com.cloudhopper.smpp.impl.DefaultSmppServer;
import com.cloudhopper.smpp.impl.DefaultSmppSessionHandler;
import com.cloudhopper.smpp.pdu.BaseBind;
import com.cloudhopper.smpp.pdu.BaseBindResp;
import com.cloudhopper.smpp.pdu.DeliverSm;
import com.cloudhopper.smpp.pdu.PduRequest;
import com.cloudhopper.smpp.pdu.PduResponse;
import com.cloudhopper.smpp.pdu.SubmitSm;
import com.cloudhopper.smpp.pdu.SubmitSmResp;
import com.cloudhopper.smpp.ssl.SslConfiguration;
import com.cloudhopper.smpp.tlv.Tlv;
import com.cloudhopper.smpp.util.DeliveryReceipt;
import com.cloudhopper.smpp.util.SmppUtil;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.netty.channel.Channel;
import org.joda.time.DateTime;

/**
 * An SMSC of Cloudhopper's library: it decodes what it is sent by that library alone and delivers all of it.
 * Standard output: "port N" once it listens, then "message DESTINATION PARTS TEXT TLVS" for each message that is whole,
 * TEXT as UTF-8 in base64, TLVS of the operator as tag=text joined by commas, or "-".
 * Arguments, for TLS: keystore, truststore (PKCS#12) and the password of both; clients then need a certificate.
 * It ends with its standard input.
 */
public class CloudhopperSmsc {
    private static final Map<String, TreeMap<Integer, String>> unfinished = new ConcurrentHashMap<>();
    private static final AtomicInteger ids = new AtomicInteger();
    private static final ScheduledExecutorService receipts = Executors.newScheduledThreadPool(1);

    public static void main(String[] args) throws Exception {
        SmppServerConfiguration settings = new SmppServerConfiguration();
        settings.setHost("127.0.0.1");
        settings.setPort(0);
        if (args.length > 0) demandCertificates(settings, args[0], args[1], args[2]);
        DefaultSmppServer server = new DefaultSmppServer(settings, new Sessions());
        server.start();
        System.out.println("port " + portOf(server));
        while (System.in.read() >= 0) {}
        System.exit(0);
    }

    private static void demandCertificates(
            SmppServerConfiguration settings, String keystore, String truststore, String password) {
        SslConfiguration tls = new SslConfiguration();
        tls.setKeyStoreType("PKCS12");
        tls.setKeyStorePath(keystore);
        tls.setKeyStorePassword(password);
        tls.setKeyManagerPassword(password);
        tls.setTrustStoreType("PKCS12");
        tls.setTrustStorePath(truststore);
        tls.setTrustStorePassword(password);
        tls.setNeedClientAuth(true);
        settings.setUseSsl(true);
        settings.setSslConfiguration(tls);
    }

    /** The library does not tell which port it was given. */
    private static int portOf(DefaultSmppServer server) throws ReflectiveOperationException {
        var field = DefaultSmppServer.class.getDeclaredField("serverChannel");
        field.setAccessible(true);
        return ((InetSocketAddress) ((Channel) field.get(server)).getLocalAddress()).getPort();
    }

    private static class Sessions implements SmppServerHandler {
        public void sessionBindRequested(Long id, SmppSessionConfiguration settings, BaseBind request) {
            settings.setName(settings.getSystemId());
        }

        public void sessionCreated(Long id, SmppServerSession session, BaseBindResp response) {
            session.serverReady(new Submits(session));
        }

        public void sessionDestroyed(Long id, SmppServerSession session) {
            session.destroy();
        }
    }

    private static class Submits extends DefaultSmppSessionHandler {
        private final SmppServerSession session;

        Submits(SmppServerSession session) {
            this.session = session;
        }

        @Override
        public PduResponse firePduRequestReceived(PduRequest request) {
            if (!(request instanceof SubmitSm submit)) return request.createResponse();
            SubmitSmResp response = submit.createResponse();
            response.setMessageId(Integer.toHexString(0x1a0000 + ids.incrementAndGet()));
            take(submit);
            receipts.schedule(() -> report(submit, response.getMessageId()), 20, TimeUnit.MILLISECONDS);
            return response;
        }

        private void report(SubmitSm submit, String id) {
            try {
                DateTime now = DateTime.now();
                DeliveryReceipt receipt =
                        new DeliveryReceipt(id, 1, 1, now, now, SmppConstants.STATE_DELIVERED, 0, "");
                DeliverSm deliver = new DeliverSm();
                deliver.setEsmClass(SmppConstants.ESM_CLASS_MT_SMSC_DELIVERY_RECEIPT);
                deliver.setSourceAddress(submit.getDestAddress());
                deliver.setDestAddress(submit.getSourceAddress());
                deliver.setShortMessage(receipt.toShortMessage().getBytes(StandardCharsets.US_ASCII));
                session.sendRequestPdu(deliver, 10_000, false);
            } catch (Exception error) {
                error.printStackTrace();
            }
        }
    }

    private static void take(SubmitSm submit) {
        byte[] octets = submit.getShortMessage();
        byte[] header = null;
        Tlv payload = submit.getOptionalParameter(SmppConstants.TAG_MESSAGE_PAYLOAD);
        if (payload != null) octets = payload.getValue();
        if (SmppUtil.isUserDataHeaderIndicatorEnabled(submit.getEsmClass())) {
            header = GsmUtil.getShortMessageUserDataHeader(octets);
            octets = GsmUtil.getShortMessageUserData(octets);
        }
        Charset charset = submit.getDataCoding() == 8 ? CharsetUtil.CHARSET_UCS_2 : CharsetUtil.CHARSET_GSM;
        String text = CharsetUtil.decode(octets, charset);
        int[] place = header == null ? placeInTlvs(submit) : placeInHeader(header);
        int reference = place[0], total = place[1], number = place[2];
        String key = submit.getSourceAddress().getAddress() + " " + submit.getDestAddress().getAddress()
                + " " + reference + " " + total;
        TreeMap<Integer, String> parts = unfinished.computeIfAbsent(key, (any) -> new TreeMap<>());
        synchronized (parts) {
            parts.put(number, text);
            if (parts.size() < total) return;
            unfinished.remove(key);
            print(submit, total, String.join("", parts.values()));
        }
    }

    /** Reference, total and number (3GPP TS 23.040, 9.2.3.24.1 and 9.2.3.24.8). */
    private static int[] placeInHeader(byte[] header) {
        boolean isWide = header[1] == 8;
        int reference = isWide ? (header[3] & 0xff) << 8 | header[4] & 0xff : header[3] & 0xff;
        int rest = isWide ? 5 : 4;
        return new int[] {reference, header[rest] & 0xff, header[rest + 1] & 0xff};
    }

    private static int[] placeInTlvs(SubmitSm submit) {
        try {
            Tlv reference = submit.getOptionalParameter(SmppConstants.TAG_SAR_MSG_REF_NUM);
            if (reference == null) return new int[] {-1, 1, 1};
            return new int[] {
                reference.getValueAsUnsignedShort(),
                submit.getOptionalParameter(SmppConstants.TAG_SAR_TOTAL_SEGMENTS).getValueAsUnsignedByte(),
                submit.getOptionalParameter(SmppConstants.TAG_SAR_SEGMENT_SEQNUM).getValueAsUnsignedByte(),
            };
        } catch (Exception error) {
            throw new IllegalArgumentException(error);
        }
    }

    private static void print(SubmitSm submit, int total, String text) {
        StringBuilder tlvs = new StringBuilder();
        if (submit.getOptionalParameters() != null)
            for (Tlv tlv : submit.getOptionalParameters())
                if ((tlv.getTag() & 0xffff) >= 0x1400)
                    tlvs.append(tlvs.length() > 0 ? "," : "")
                            .append(Integer.toHexString(tlv.getTag() & 0xffff))
                            .append('=')
                            .append(new String(tlv.getValue(), StandardCharsets.UTF_8));
        String encoded = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        System.out.println("message " + submit.getDestAddress().getAddress() + " " + total + " " + encoded + " "
                + (tlvs.length() > 0 ? tlvs : "-"));
    }
}
